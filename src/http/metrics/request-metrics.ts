import { Counter, Histogram, type Registry } from 'prom-client';

/** A request that has received a response. */
export interface AnsweredRequest {
  readonly method: string | undefined;
  /** The template of the route that responded, or `static`; undefined if no route matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

export type ObserveRequest = (request: AnsweredRequest) => void;

/** Upper limits of the buckets, in seconds. The largest is the time that a request may wait for news. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods with their own label. Clients can send any word as a method. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const labelNames = ['listener', 'method', 'route'] as const;

/** Registers the metrics and returns a function that creates the observer of a listener. */
export function createRequestMetrics(registry: Registry): (listener: string) => ObserveRequest {
  const registers = [registry];
  const requests = new Counter({
    name: 'msgsite_http_requests_total',
    help: 'Number of HTTP requests that have received a response.',
    labelNames: [...labelNames, 'status'],
    registers,
  });
  const durationsOf = new Histogram({
    name: 'msgsite_http_request_duration_seconds',
    help: 'Time from the headers of a request to its response, in seconds.',
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
