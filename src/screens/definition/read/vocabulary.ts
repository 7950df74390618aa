import { type FieldDefinition, type PointDefinition, tones } from '../definition.js';
import { list, oneOf, quantity, record, text } from '../readers.js';

// Readers of small shapes that several blocks share.

export const texts = list(text);

export const tone = oneOf(tones);

export const field = record<FieldDefinition>({ label: text, value: text }, ['label', 'value']);

export const point = record<PointDefinition>({ label: text, value: quantity, tone }, ['label']);
