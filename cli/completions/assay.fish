# For this shell: assay completion fish | source. For each one: put that line into ~/.config/fish/config.fish.
# The program answers for itself, from its own table of commands; without an answer fish offers files.
function __complete_assay
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    set -l words (command assay)
    or return
    if test (count $words) -gt 0
        printf '%s\n' $words
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c assay -f -a "(__complete_assay)"
