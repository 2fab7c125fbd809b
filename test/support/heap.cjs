// Loaded into a process that is watched: at a signal it says how much of its heap is in use.
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  process.stderr.write(`heap ${process.memoryUsage().heapUsed}\n`);
});
