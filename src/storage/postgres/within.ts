import { unavailable } from './database-errors.js';

/** What `work` gives, or `storage_unavailable` where that takes longer than so many milliseconds. */
export async function within<Result>(
  milliseconds: number,
  work: PromiseLike<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(unavailable(new Error(`No answer within ${milliseconds} ms.`))),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
