import { Counter, Histogram, type Registry } from 'prom-client';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string | undefined;
  /** The template of the route that answered, or `static`; undefined if no route matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

export type ObserveRequest = (request: AnsweredRequest) => void;

/** Upper bounds of the buckets, in seconds: up to the 30 s that a request may wait for news. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods with their own label. Clients may send any word as a method. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const labelNames = ['listener', 'method', 'route'] as const;

/** Returns a function that returns the function counting the requests of a listener in a registry. */
export function createRequestMetrics(registry: Registry): (listener: string) => ObserveRequest {
  const registers = [registry];
  const requests = new Counter({
    name: 'msgsite_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: [...labelNames, 'status'],
    registers,
  });
  const durationsOf = new Histogram({
    name: 'msgsite_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer, in seconds.',
    labelNames,
    buckets: durations,
    registers,
  });
  return (listener) =>
    function observe({ method = '', route = 'unmatched', status, seconds }) {
      const labels = { listener, method: knownMethods.has(method) ? method : 'other', route };
      requests.inc({ ...labels, status });
      durationsOf.observe(labels, seconds);
    };
}
