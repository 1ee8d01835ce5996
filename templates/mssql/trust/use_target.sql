-- Part {{.Part}} of {{.Parts}}: run it as the owner of {{.Target}}. In a session other than that of part 1, first run the lines that part 1 printed.
USE {{.Target}};
