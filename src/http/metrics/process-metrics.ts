import { readdir } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * What every process tells of itself, under the names that Prometheus has for it. prom-client's own collection also
 * observes garbage collection and the event loop for as long as the process lives, whoever asks.
 */
export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
    },
  });
  const memory: Gauge = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process, in bytes.',
    registers,
    collect: () => memory.set(process.memoryUsage.rss()),
  });
  const heap: Gauge = new Gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Memory that objects of JavaScript take, in bytes.',
    registers,
    collect: () => heap.set(process.memoryUsage().heapUsed),
  });
  const started = new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since the epoch.',
    registers,
  });
  started.set(Math.round(performance.timeOrigin / 1000));
  const files = new Gauge({
    name: 'process_open_fds',
    help: 'Open files and connections; Linux alone tells it.',
    registers,
    async collect() {
      const names = await readdir('/proc/self/fd').catch(() => undefined);
      if (names) files.set(names.length);
    },
  });
}
