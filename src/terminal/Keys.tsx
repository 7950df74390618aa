import { useInput } from 'ink';

export interface KeysProps {
  /** A printable key, or `ctrl+c`. */
  readonly onKey: (key: string) => void;
}

/** Hears keys and shows nothing. Only for a stdin that is a terminal. */
export function Keys({ onKey }: KeysProps) {
  useInput((input, { ctrl }) => {
    onKey(ctrl ? `ctrl+${input}` : input.toLowerCase());
  });
  return null;
}
