# The program answers for itself, from its own table of commands.
complete -o default -o bashdefault -C assay assay
