# The program answers for itself, from its own table of commands; without an answer fish offers files.
function __complete_assay
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    assay
end
complete -c assay -a "(__complete_assay)"
