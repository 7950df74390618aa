import type { Language } from '../../shared/format.ts';
import { enGoods } from './en-goods.ts';
import type { Plural } from './plural.ts';

/** All texts of the admin page. The other languages have its type, so a missing text does not compile. */
export type Words = ReturnType<typeof en>;

/** Widened, because the other languages have this type too. */
const language = 'en' as Language;

export const en = (plural: Plural) => ({
  language,
  /** For browsers without Kazakh; the first three letters are the short name. */
  months: [] as readonly string[],

  /** The texts of public/admin.html, by their names in `data-word` and `data-label`. */
  frame: {
    title: 'Site admin',
    skip: 'Skip to the content',
    view: 'View site',
    newTab: '(opens in a new tab)',
    forgetToken: 'Forget token',
    language: 'Language',
    dismiss: 'Dismiss this message',
    products: 'Products',
    orders: 'Orders',
    announcements: 'News',
    people: 'People',
    shop: 'Shop',
    settings: 'Settings',
  },

  saveChanges: 'Save changes',
  saving: 'Saving…',
  notSaved: 'Not saved yet',
  unchanged: 'Nothing has changed',
  cancel: 'Cancel',
  delete: 'Delete',
  undo: 'Undo',
  restore: 'Restore',
  tryAgain: 'Try again',
  showMore: 'Show more',
  close: 'Close',
  stop: 'Stop',
  preview: 'Preview',
  yes: 'Yes',
  no: 'No',
  more: plural({ other: 'and {} more' }),
  goneText: 'It may have been deleted in another window.',

  page: 'Page',
  pageNumber: (page: number) => `Page ${page}`,
  ofPages: (pages: number) => `of ${pages}`,
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',

  leave: {
    title: 'Leave without saving?',
    text: 'Your changes have not been saved yet.',
    yes: 'Discard changes',
    no: 'Keep editing',
  },

  token: {
    title: 'This site needs its admin token',
    label: 'Admin token',
    refused: 'This token was not accepted.',
    hint: 'The person who runs the server has set it. This page keeps it until you close the tab.',
    later: 'Not now',
    next: 'Continue',
    forgotten: 'The token is forgotten. The page asks for it again at the next change.',
  },

  deletion: {
    question: (title: string) => `Delete “${title}”?`,
    deleted: (title: string) => `“${title}” was deleted.`,
    notDeleted: (title: string) => `“${title}” was not deleted.`,
    restored: (title: string) => `“${title}” is back.`,
    notRestored: (title: string) => `“${title}” could not be restored.`,
    recent: (count: number) => `Recently deleted (${count})`,
    restore: (title: string) => `Restore ${title}`,
  },

  conflict: {
    title: 'Someone else has changed this in the meantime',
    text: 'Your changes are still here. A field that only the other person changed keeps their value either way.',
    field: 'Field',
    yours: 'Yours',
    theirs: 'Theirs',
    changedBy: 'Changed by',
    you: 'you',
    them: 'them',
    bothOfYou: 'both of you',
    useTheirs: 'Use theirs',
    saveMine: 'Save mine',
  },

  /** Errors of fields. */
  faults: {
    count: plural({
      one: 'One field needs your attention.',
      other: '{} fields need your attention.',
    }),
    name: 'Enter a name.',
    title: 'Enter a title.',
    date: 'Enter a date.',
    tooLong: (length: number, most: number) =>
      `This is ${length} characters long; at most ${most} are allowed.`,
    price: 'Enter a number, such as 1850 or 99.50. With 0, the site shows “Price on request”.',
    negative: 'A price cannot be below 0.',
    tooHigh: 'This price is too high.',
    image: 'This must be an https address, or a path on this site that begins with one slash.',
    web: 'This must be an address that begins with https:// or http://.',
    phone: 'Enter a phone number such as +7 701 234 56 78.',
    required: 'This field is required.',
    mostCharacters: plural({
      one: 'At most {} character is allowed.',
      other: 'At most {} characters are allowed.',
    }),
    atLeast: (least: string) => `This must be ${least} or more.`,
    atMost: (most: string) => `This must be ${most} or less.`,
    number: 'Enter a number.',
  },

  /** Failures, by the codes of the service and of src/pages/admin/api.ts. */
  errors: {
    offline: 'The server cannot be reached. Check your connection and try again.',
    timeout: 'The server is taking too long to answer. Try again in a moment.',
    aborted: 'The upload was stopped.',
    bad_request: 'The server did not understand the request. Reload the page and try again.',
    validation_failed: 'The server does not accept some of the values.',
    unauthorized: 'The admin token is missing or wrong.',
    forbidden: 'You are not allowed to do this.',
    not_found: 'It no longer exists. It may have been deleted in another window.',
    conflict: 'The stored data has changed. Reload the page.',
    precondition_failed: 'Someone else has changed this in the meantime.',
    too_large: 'This is larger than the server accepts.',
    internal_error: 'Something went wrong on the server. Try again in a moment.',
    images_unavailable:
      'Pictures cannot be uploaded at the moment. You can still enter the address of a picture.',
    cannotRead: 'The server cannot read its data at the moment. Try again shortly.',
    cannotStore:
      'The server cannot store anything at the moment. Nothing was changed; try again shortly.',
  },
  badAnswer: (status: number) => `This page does not understand the server’s answer (${status}).`,
  tooMany: plural({
    one: 'Too many requests. Try again in {} second.',
    other: 'Too many requests. Try again in {} seconds.',
  }),

  ...enGoods(plural),

  news: {
    add: 'Add news',
    editTitle: 'Edit news',
    all: 'All news',
    gone: 'This item of news does not exist',
    notLoaded: 'The news could not be loaded',
    none: 'No news yet',
    noneText: 'Tell visitors about opening hours, new products or a day off.',
    shown: (title: string) => `“${title}” is on the site.`,
    hidden: (title: string) => `“${title}” is hidden.`,
    savedHidden: (title: string) => `“${title}” is saved, but hidden.`,
    unchanged: (title: string) => `“${title}” was not changed.`,
    onSite: 'On the site',
    hiddenNow: 'Hidden',
    show: 'Show on the site',
    showThis: (title: string) => `Show “${title}” on the site`,
    showHint: 'When this is off, visitors do not see it.',
    remove: (title: string) => `Delete ${title}`,
    deletion:
      'To take it off the site but keep it here, switch it off instead. You can undo a deletion right afterwards.',
    title: 'Title',
    date: 'Date',
    dateHint: 'The newest date comes first.',
    text: 'Text',
    today: 'Today',
  },

  people: {
    notLoaded: 'The people could not be loaded',
    none: 'Nobody has signed up yet',
    noneText: 'People who sign up for the chat are listed here.',
    noneFor: (text: string) => `Nobody found for “${text}”`,
    noneForText: 'Enter part of a name, or a whole e-mail address.',
    found: plural({ one: 'One person found.', other: '{} people found.' }),
    foundMore: plural({ other: '{} people found, and there are more.' }),
    search: 'Find people',
    placeholder: 'Name or whole e-mail address',
    since: (date: string) => `Since ${date}`,
    resetCode: 'Reset code',
    resetCodeFor: (name: string) => `Reset code for ${name}`,
    noCode: (name: string) => `No code was created for ${name}.`,
    codeTitle: (name: string) => `A code for ${name}`,
    codeLabel: 'Reset code',
    codeText: (until: string) =>
      `It works once, until ${until}, and is shown only here. Do not share it with anyone else: it gives control of the account.`,
    copy: 'Copy',
    copied: 'Copied.',
    copyByKey: 'The code is selected: copy it with Ctrl+C.',
    tellThem: 'What to tell them:',
    step1: (address: string) => `Open ${address} (there is a link to it below the sign-in form).`,
    step2: 'Enter your e-mail address, this code and a new password.',
    signOut: 'Sign out',
    signOutOf: (name: string) => `Sign out ${name} everywhere`,
    signOutQuestion: (name: string) => `Sign ${name} out everywhere?`,
    signOutText: 'This person must sign in again in every browser and program. Nothing is lost.',
    signedOut: (name: string) => `${name} is signed out everywhere.`,
    notSignedOut: (name: string) => `${name} was not signed out.`,
    remove: (name: string) => `Delete the account of ${name}`,
    removeQuestion: (name: string) => `Delete the account of ${name}?`,
    removeText: (email: string) =>
      `The name, the e-mail address (${email}), the picture, “About” and the password are deleted. Messages stay, under “Deleted account”. Groups and channels pass to the member who joined first. This cannot be undone.`,
    removeYes: 'Delete for good',
    removed: (name: string) => `The account of ${name} is deleted.`,
    noToken: 'This needs an admin token',
    noTokenText:
      'Without one, anyone who opens this page could take over accounts. Ask whoever runs the server to set MSGSITE_ADMIN_TOKEN.',
  },

  shop: {
    see: 'See it on the site',
    lead: 'Visitors see this at the bottom of every page, and in place of the payment button while payments cannot be taken. Empty fields are not shown.',
    notLoaded: 'The shop could not be loaded',
    saved: 'The shop is saved. Visitors see it from now on.',
    name: 'Name',
    nameHint: 'The name on your sign. Search engines show it.',
    phone: 'Phone',
    phoneHint: 'With the country code, such as +7 701 234 56 78.',
    whatsapp: 'WhatsApp',
    whatsappHint: 'The number with the country code, or its https://wa.me/ address.',
    address: 'Address',
    addressHint: 'Street, house number and town.',
    hours: 'Opening hours',
    hoursHint:
      'Such as Mo-Fr 09:00-19:00, Sa 10:00-16:00, so that search engines can read them too.',
    languageHint: 'For visitors whose browser prefers none of these languages.',
    map: 'Link to the map',
    mapHint: 'The link from “Share” in 2GIS, Google Maps or Yandex Maps.',
  },

  settings: {
    notLoaded: 'The settings could not be loaded',
    saved: 'The settings are saved. Visitors see them from now on.',
    title: 'Title',
    titleHint: 'The name at the top of the site and in the browser tab.',
    subtitle: 'Subtitle',
    theme: 'Theme',
    light: 'Light',
    dark: 'Dark',
    catalogue: 'Catalogue',
    welcome: 'Welcome',
  },
});
