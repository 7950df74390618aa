import {
  type AiDefinition,
  type BannerDefinition,
  type ConclusionDefinition,
  languages,
  type NavDefinition,
  type NotificationDefinition,
  type ProductDefinition,
  type SearchDefinition,
  type SlideDefinition,
  type StepsDefinition,
  type UserDefinition,
} from '../definition.js';
import { dictionary, flag, list, number, oneOf, record, text } from '../readers.js';
import { texts, tone } from './vocabulary.js';

// Readers of what stands around the work.

export const product = record<ProductDefinition>(
  {
    name: text,
    purpose: text,
    entity: text,
    createLabel: text,
    primary_user: text,
    language: oneOf(languages),
    view: oneOf(['operational', 'management']),
  },
  ['name', 'entity'],
);

export const user = record<UserDefinition>({ name: text, role: text });

export const notifications = list(
  record<NotificationDefinition>({ text, time: text, unread: flag }, ['text']),
);

export const steps = record<StepsDefinition>({ items: texts, current: number });

export const nav = record<NavDefinition>(
  {
    label: text,
    icon: text,
    view: oneOf(['documents', 'registry']),
    docType: text,
    group: text,
    count: number,
  },
  ['label'],
);

export const ai = record<AiDefinition>({
  intro: text,
  suggestions: texts,
  answers: dictionary(text),
  fallback: text,
});

export const banner = record<BannerDefinition>({ text, tone, action: text, actionNav: number });

export const search = record<SearchDefinition>({
  placeholder: text,
  compact: flag,
  shortcut: flag,
});

export const conclusion = record<ConclusionDefinition>({ title: text, text }, ['text']);

export const onboarding = list(
  record<SlideDefinition>({ icon: text, title: text, text }, ['title', 'text']),
);
