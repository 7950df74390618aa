/** Milliseconds as `m:ss`, rounded up so that 0:00 means that nothing is left; `h:mm:ss` from an hour on. */
export function formatTimeLeft(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes, seconds] = [total / 3600, (total / 60) % 60, total % 60].map(Math.floor);
  const two = (value: number | undefined) => String(value ?? 0).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
