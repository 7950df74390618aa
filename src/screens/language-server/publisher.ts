import type { Diagnostic } from 'vscode-languageserver';
import type { Clock } from '../../base/clock.js';
import type { OpenDocument } from './documents.js';

/** Milliseconds after the last change of a document before it is checked. */
const typingPause = 200;

interface PublisherOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** The diagnostics of a document; undefined where it was closed meanwhile. */
  diagnose(uri: string): Promise<Published | undefined>;
  publish(published: Published): Promise<void>;
  onError(error: unknown): void;
}

/** The diagnostics of one document, and of which version. */
export interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: Diagnostic[];
}

/** Sends diagnostics by itself, to clients that do not ask for them. */
export function createPublisher({ clock, diagnose, publish, onError }: PublisherOptions) {
  /** The document's latest task; an earlier one is ended by the next. */
  const tasks = new Map<string, AbortController>();

  function begin(uri: string, pause: number): void {
    tasks.get(uri)?.abort();
    const task = new AbortController();
    tasks.set(uri, task);
    const work = async (): Promise<void> => {
      if (pause > 0) await clock.sleep(pause, task.signal);
      if (task.signal.aborted) return;
      const published = await diagnose(uri);
      if (published && !task.signal.aborted) await publish(published);
    };
    void work()
      .catch(onError)
      .finally(() => {
        if (tasks.get(uri) === task) tasks.delete(uri);
      });
  }

  function end(uri: string): void {
    tasks.get(uri)?.abort();
    tasks.delete(uri);
  }

  return {
    opened: ({ uri }: OpenDocument) => begin(uri, 0),
    changed: ({ uri }: OpenDocument) => begin(uri, typingPause),
    closed(uri: string): void {
      end(uri);
      void publish({ uri, diagnostics: [] }).catch(onError);
    },
    endAll(): void {
      for (const uri of [...tasks.keys()]) end(uri);
    },
  };
}
