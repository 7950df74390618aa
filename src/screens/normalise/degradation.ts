/** The reason why a part of a definition does not take effect as written. The codes are stable. */
export type DegradationCode =
  /** The archetype is unknown, so the queue table is shown. `detail`: the requested archetype. */
  | 'archetype-unknown'
  /** The archetype's data is missing, so the queue table is shown. `detail`: the missing block. */
  | 'archetype-block-missing'
  /** `layout` differs from `archetype`, which takes precedence. `detail`: the layout. */
  | 'layout-ignored'
  /** `chart.bucket` requires `chart.dateKey`. The chart falls back to groups or static bars. */
  | 'bucket-without-date-key'
  /** `chart.bucket` takes precedence over `chart.groupBy`. */
  | 'group-by-ignored'
  /** No column or row has the field. `detail`: the key. */
  | 'key-unknown'
  /** The status is not in `statuses`. `detail`: the key. */
  | 'status-unknown'
  /** There is no item with the index. `detail`: the index. */
  | 'index-out-of-range'
  /** The banner's action has no target section and is shown as text. */
  | 'action-without-target'
  /** The section lacks the data that its type requires, so it is shown as text. `detail`: the type. */
  | 'section-without-payload'
  /** The chart cannot draw the value and omits it. `detail`: the value. */
  | 'value-not-drawable'
  /** The date does not exist and is shown as written. `detail`: the date. */
  | 'date-invalid'
  /** The width is not a CSS length, so it depends on the content. `detail`: the width. */
  | 'width-unreadable';

/** A part of a definition that does not take effect as written. */
export interface Degradation {
  readonly code: DegradationCode;
  /** JSON Pointer of the property. */
  readonly path: string;
  readonly detail: string;
}

/** Collects degradations while a definition is being normalised. */
export type Degrade = (code: DegradationCode, path: string, detail: string) => void;
