/** One value of the metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses the values in a text in the Prometheus format. */
export function parseMetrics(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([a-z_:]+)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, label = '', of = '']) => [label, of])),
        value: Number(value),
      };
    });
}

export type Metrics = Awaited<ReturnType<typeof readMetrics>>;

/** Returns the current metrics of a server. */
export async function readMetrics(url: string) {
  const samples = parseMetrics(await (await fetch(url)).text());
  const find = (name: string, labels: Sample['labels'] = {}) =>
    samples.filter(
      (sample) =>
        sample.name === `msgsite_${name}` &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  return {
    samples,
    find,
    /** Returns the only value with this name (without `msgsite_`) and these labels, or undefined. */
    value: (name: string, labels: Sample['labels'] = {}): number | undefined =>
      find(name, labels)[0]?.value,
  };
}
