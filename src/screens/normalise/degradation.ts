/** Why something in a definition does not take effect as written. Stable codes. */
export type DegradationCode =
  /** No layout of this name; the queue table is shown. `detail`: the archetype asked for. */
  | 'archetype-unknown'
  /** The archetype's data is missing; the queue table is shown. `detail`: the missing block. */
  | 'archetype-block-missing'
  /** `layout` says something else than `archetype`, which wins. */
  | 'layout-ignored'
  /** `chart.bucket` needs `chart.dateKey`; the chart falls back to groups or static bars. */
  | 'bucket-without-date-key'
  /** `chart.bucket` wins over `chart.groupBy`. */
  | 'group-by-ignored'
  /** A row field that no column and no row has. `detail`: the key. */
  | 'key-unknown'
  /** A status that is not in `statuses`. `detail`: the key. */
  | 'status-unknown'
  /** An index that leads nowhere. `detail`: the index. */
  | 'index-out-of-range'
  /** A banner action without a section to lead to; it is shown as text. */
  | 'action-without-target'
  /** A section without what its type needs; it is shown as text. `detail`: the type. */
  | 'section-without-payload'
  /** A value that a chart cannot draw; it is left out of the drawing. `detail`: the value. */
  | 'value-not-drawable'
  /** A date that does not exist; it is shown as it is written. `detail`: the date. */
  | 'date-invalid'
  /** A column width that is no CSS length; it is computed from the content. `detail`: the width. */
  | 'width-unreadable';

/** One thing that does not take effect as written. */
export interface Degradation {
  readonly code: DegradationCode;
  /** JSON Pointer of the property in question. */
  readonly path: string;
  /** The word in question. */
  readonly detail: string;
}

/** Collects degradations while a definition is being normalised. */
export type Degrade = (code: DegradationCode, path: string, detail: string) => void;
