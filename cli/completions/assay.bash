# For this shell: source <(assay completion bash). For each one: put that line into ~/.bashrc.
# The program answers for itself, from its own table of commands; without an answer bash offers files.
complete -o default -o bashdefault -C 'command assay' assay
