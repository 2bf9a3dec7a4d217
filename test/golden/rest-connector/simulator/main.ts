// Stands for the module that simulates the paper library: the generator looks only whether it is there.
