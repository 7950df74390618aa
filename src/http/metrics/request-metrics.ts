import { Counter, Histogram, type Registry } from 'prom-client';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string | undefined;
  /** The template of the route that answered, or `static`; undefined where nothing did. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

export type ObserveRequest = (request: AnsweredRequest) => void;

/** Upper ends of the classes of durations, in seconds: to the 30 s that a request waits for news at most. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods that are told apart; clients may send any word that looks like one. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const durationName = 'msgsite_http_request_duration_seconds';
const durationHelp = 'From the headers of a request to its answer, in seconds.';
const labelNames = ['listener', 'method', 'route'] as const;

/** What is counted of the requests of one listener, method and route. */
interface Cell {
  readonly labels: Readonly<Record<'listener' | 'method' | 'route', string>>;
  readonly statuses: Map<number, number>;
  /** Requests of each class of durations; one more for the longer ones. */
  readonly classes: number[];
  seconds: number;
}

/** Gives what counts the requests of a listener into a registry. */
export function createRequestMetrics(registry: Registry): (listener: string) => ObserveRequest {
  // prom-client's own way to count takes ten times as long; it is filled when it is read.
  const cells = new Set<Cell>();
  const requests = new Counter({
    name: 'msgsite_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: [...labelNames, 'status'],
    registers: [registry],
    collect() {
      requests.reset();
      for (const { labels, statuses } of cells) {
        for (const [status, count] of statuses) requests.inc({ ...labels, status }, count);
      }
    },
  });
  new RequestDurations(cells, registry);

  return function observeListener(listener) {
    const own = new Map<string, Cell>();
    return function observe({ method = '', route = 'unmatched', status, seconds }) {
      const name = knownMethods.has(method) ? method : 'other';
      const key = `${name} ${route}`;
      let cell = own.get(key);
      if (!cell) {
        const labels = { listener, method: name, route };
        const classes = durations.map(() => 0);
        cell = { labels, statuses: new Map(), classes: [...classes, 0], seconds: 0 };
        own.set(key, cell);
        cells.add(cell);
      }
      cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + 1);
      let place = 0;
      while (seconds > (durations[place] ?? Number.POSITIVE_INFINITY)) place += 1;
      cell.classes[place] = (cell.classes[place] ?? 0) + 1;
      cell.seconds += seconds;
    };
  };
}

/** A histogram whose values are counted elsewhere. */
class RequestDurations extends Histogram<'listener' | 'method' | 'route'> {
  readonly #cells: ReadonlySet<Cell>;

  constructor(cells: ReadonlySet<Cell>, registry: Registry) {
    super({
      name: durationName,
      help: durationHelp,
      labelNames,
      buckets: durations,
      registers: [registry],
    });
    this.#cells = cells;
  }

  /** What the registry and `get` ask; its shape is that of what `get` gives. */
  async getForPromString() {
    const values = [...this.#cells].flatMap(valuesOf);
    return { name: durationName, help: durationHelp, type: 'histogram', aggregator: 'sum', values };
  }
}

function valuesOf({ labels, classes, seconds }: Cell) {
  let count = 0;
  const buckets = classes.map((number, place) => {
    count += number;
    const le = durations[place] ?? '+Inf';
    return { metricName: `${durationName}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${durationName}_sum`, labels, value: seconds },
    { metricName: `${durationName}_count`, labels, value: count },
  ];
}
