/** Why something in a definition does not take effect as written. Stable codes. */
export type DegradationCode =
  /** Unknown archetype; the queue table is shown. `detail`: the requested archetype. */
  | 'archetype-unknown'
  /** The archetype's data is missing; the queue table is shown. `detail`: the missing block. */
  | 'archetype-block-missing'
  /** `layout` differs from `archetype`, which takes precedence. */
  | 'layout-ignored'
  /** `chart.bucket` needs `chart.dateKey`; the chart falls back to groups or static bars. */
  | 'bucket-without-date-key'
  /** `chart.bucket` takes precedence over `chart.groupBy`. */
  | 'group-by-ignored'
  /** A field that no column and no row has. `detail`: the key. */
  | 'key-unknown'
  /** A status that is not in `statuses`. `detail`: the key. */
  | 'status-unknown'
  /** An index without an item. `detail`: the index. */
  | 'index-out-of-range'
  /** A banner action without a target section; it is shown as text. */
  | 'action-without-target'
  /** A section without the data that its type needs; it is shown as text. `detail`: the type. */
  | 'section-without-payload'
  /** A value that a chart cannot draw; it is left out. `detail`: the value. */
  | 'value-not-drawable'
  /** A date that does not exist; it is shown as written. `detail`: the date. */
  | 'date-invalid'
  /** A column width that is not a CSS length; the content decides. `detail`: the width. */
  | 'width-unreadable';

/** One thing that does not take effect as written. */
export interface Degradation {
  readonly code: DegradationCode;
  /** JSON Pointer of the property. */
  readonly path: string;
  readonly detail: string;
}

/** Collects degradations while a definition is being normalised. */
export type Degrade = (code: DegradationCode, path: string, detail: string) => void;
