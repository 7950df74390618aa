import type { Language, Tone } from './vocabulary.js';

// What stands around the work: product, navigation, banner, search, assistant, slides.

export interface ProductDefinition {
  readonly name: string;
  readonly purpose?: string;
  readonly entity: string;
  readonly createLabel?: string;
  readonly primary_user?: string;
  readonly language?: Language;
  readonly view?: 'operational' | 'management';
}

export interface UserDefinition {
  readonly name?: string;
  readonly role?: string;
}

export interface NotificationDefinition {
  readonly text: string;
  readonly time?: string;
  readonly unread?: boolean;
}

export interface StepsDefinition {
  readonly items?: readonly string[];
  /** Counts from 1. */
  readonly current?: number;
}

export interface NavDefinition {
  readonly label: string;
  readonly icon?: string;
  readonly view?: 'documents' | 'registry';
  readonly docType?: string;
  readonly group?: string;
  /** Deprecated counter. */
  readonly count?: number;
}

export interface AiDefinition {
  readonly intro?: string;
  readonly suggestions?: readonly string[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly fallback?: string;
}

export interface BannerDefinition {
  readonly text?: string;
  readonly tone?: Tone;
  readonly action?: string;
  /** Counts from 0 over nav items; group headings are not counted. */
  readonly actionNav?: number;
}

export interface SearchDefinition {
  readonly placeholder?: string;
  readonly compact?: boolean;
  readonly shortcut?: boolean;
}

export interface ConclusionDefinition {
  readonly title?: string;
  readonly text: string;
}

export interface SlideDefinition {
  readonly icon?: string;
  readonly title: string;
  readonly text: string;
}
