// Stands in for a module that a bundle never uses.
