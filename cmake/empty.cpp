// Stands in for the library while it has no source file.
