-- Part {{.Part}} of {{.Parts}}: for the owner of {{.Target}}. In another session than part 1, first the lines which that one has printed.
USE {{.Target}};
