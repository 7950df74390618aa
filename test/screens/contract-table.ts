/**
 * The tables of the screen contract, written by hand from its text instead of the schema. Each line contains a path, a
 * type, limits and `!` for a required property. The limits `a..b` are the range of a length, a number of items or a
 * value. In a path, `[]` stands for any item of a list, and `{}` for any value of a dictionary.
 */
const table = `
                                   object                        !
archetype                          string
layout                             string
product                            object                        !
product.name                       string   1..40                !
product.purpose                    string   ..90
product.entity                     string   1..                  !
product.createLabel                string   ..24
product.primary_user               string
product.language                   ru|kk|en
product.view                       operational|management
user                               object
user.name                          string
user.role                          string
notifications                      list
notifications[]                    object
notifications[].text               string                        !
notifications[].time               string
notifications[].unread             boolean
steps                              object
steps.items                        list
steps.items[]                      string
steps.current                      integer  1..
nav                                list
nav[]                              object
nav[].label                        string   ..24                 !
nav[].icon                         string
nav[].view                         documents|registry
nav[].docType                      string
nav[].group                        string   ..24
nav[].count                        number
kpis                               list
kpis[]                             object
kpis[].value                       string                        !
kpis[].label                       string   ..32                 !
kpis[].hint                        string   ..40
kpis[].note                        string
scenario                           object
scenario.headline                  string   ..40                 !
scenario.control                   string                        !
scenario.reject                    string
scenario.confirmText               string
scenario.aiSummary                 string   ..280
scenario.approveTo                 string
scenario.rejectTo                  string
scenario.actions                   list
scenario.actions[]                 string
statuses                           dictionary 1..
statuses{}                         object
statuses{}.label                   string   ..24                 !
statuses{}.tone                    ok|warn|risk|info             !
statuses{}.dim                     boolean
chart                              object
chart.title                        string   ..48
chart.total                        string
chart.unit                         string   ..24
chart.color                        blue|green|orange|salmon|pink|primary
chart.link                         string   ..16
chart.groupBy                      string
chart.bucket                       day
chart.dateKey                      string
chart.bars                         list
chart.bars[]                       object
chart.bars[].label                 string
chart.bars[].value                 number   0..                  !
chart.bars[].hint                  object
chart.bars[].hint.title            string   ..80
chart.bars[].hint.rows             list     ..3
chart.bars[].hint.rows[]           object
chart.bars[].hint.rows[].label     string   ..40                 !
chart.bars[].hint.rows[].value     string   ..40                 !
activity                           list
activity[]                         object
activity[].title                   string                        !
activity[].time                    string
activity[].ago                     string
activity[].tone                    ok|warn|risk|info
activity[].who                     string
activity[].tags                    list
activity[].tags[]                  string
activity[].summary                 string   ..220
activity[].link                    string   ..32
table                              object
table.pageSize                     integer  1..
table.columns                      list     1..                  !
table.columns[]                    object
table.columns[].key                key                           !
table.columns[].label              string   ..24                 !
table.columns[].type               text|num|date|status
table.columns[].sub                string
table.columns[].values             list
table.columns[].values[]           string
table.columns[].source             string
table.columns[].align              left|right
table.columns[].sortable           boolean
table.columns[].width              string
table.rows                         list                          !
table.rows[]                       object
table.rows[]._flags                list
table.rows[]._flags[]              string
table.rows[]._docs                 list
table.rows[]._docs[]               object
table.rows[]._docs[].label         string                        !
table.rows[]._docs[].type          string
table.rows[]._docs[].status        string
table.rows[]._docs[].format        string
drawer                             object
drawer.titleKey                    string                        !
drawer.fields                      list
drawer.fields[]                    object
drawer.fields[].key                string                        !
drawer.fields[].label              string                        !
drawer.flagsLabel                  string
ai                                 object
ai.intro                           string
ai.suggestions                     list
ai.suggestions[]                   string
ai.answers                         dictionary
ai.answers{}                       string
ai.fallback                        string
banner                             object
banner.text                        string
banner.tone                        ok|warn|risk|info
banner.action                      string
banner.actionNav                   integer
search                             object
search.placeholder                 string   ..40
search.compact                     boolean
search.shortcut                    boolean
conclusion                         object
conclusion.title                   string   ..60
conclusion.text                    string                        !
compare                            object
compare.aLabel                     string
compare.bLabel                     string
compare.pairs                      list
compare.pairs[]                    object
compare.pairs[].label              string                        !
compare.pairs[].a                  string                        !
compare.pairs[].b                  string                        !
sections                           list
sections[]                         object
sections[].title                   string                        !
sections[].description             string
sections[].body                    string
sections[].fields                  list
sections[].fields[]                object
sections[].fields[].label          string                        !
sections[].fields[].value          string                        !
sections[].type                    text|cards|chart|kpis|table|chat
sections[].width                   full|half
sections[].items                   list     ..12
sections[].items[]                 object
sections[].items[].title           string   ..60                 !
sections[].items[].text            string   ..160
sections[].items[].badge           string   ..24
sections[].items[].tone            ok|warn|risk|info
sections[].chart                   object
sections[].chart.type              bar|line|donut                !
sections[].chart.title             string   ..90                 !
sections[].chart.unit              string   ..20
sections[].chart.total             quantity
sections[].chart.note              string   ..160
sections[].chart.points            list     2..14                !
sections[].chart.points[]          object
sections[].chart.points[].label    string   ..40                 !
sections[].chart.points[].value    quantity                      !
sections[].chart.points[].tone     ok|warn|risk|info
onboarding                         list
onboarding[]                       object
onboarding[].icon                  string
onboarding[].title                 string   ..48                 !
onboarding[].text                  string   ..220                !
filterKeys                         list
filterKeys[]                       string
document                           object
document.title                     string   ..120                !
document.source                    string   ..160
document.fragments                 list     2..14                !
document.fragments[]               object
document.fragments[].heading       string   ..90
document.fragments[].text          string   ..700                !
document.fragments[].was           string   ..700
document.fragments[].op            keep|edit|add|del
document.fragments[].flag          string   ..220
artifact                           object
artifact.type                      document|slides|report|table|letter
artifact.title                     string   ..120                !
artifact.version                   string   ..24
artifact.preview                   string   ..4000               !
artifact.actions                   list     ..3
artifact.actions[]                 string   ..32
wizard                             object
wizard.current                     integer  0..
wizard.steps                       list     2..7                 !
wizard.steps[]                     object
wizard.steps[].title               string   ..60                 !
wizard.steps[].desc                string   ..160
wizard.steps[].fields              list     1..10                !
wizard.steps[].fields[]            object
wizard.steps[].fields[].label      string   ..60                 !
wizard.steps[].fields[].value      quantity
wizard.steps[].fields[].prefill    boolean
wizard.steps[].fields[].hint       string   ..120
inbox                              object
inbox.titleKey                     string
inbox.subKey                       string
inbox.timeKey                      string
inbox.bodyKey                      string                        !
analytics                          object
analytics.summary                  string   ..500
analytics.period                   string   ..60
analytics.charts                   list     1..4                 !
analytics.charts[]                 object
analytics.charts[].type            bar|line|donut                !
analytics.charts[].title           string   ..90                 !
analytics.charts[].unit            string   ..20
analytics.charts[].total           quantity
analytics.charts[].note            string   ..160
analytics.charts[].points          list     2..14                !
analytics.charts[].points[]        object
analytics.charts[].points[].label  string   ..40                 !
analytics.charts[].points[].value  quantity                      !
analytics.charts[].points[].tone   ok|warn|risk|info
analytics.findings                 list     1..6                 !
analytics.findings[]               object
analytics.findings[].title         string   ..120                !
analytics.findings[].detail        string   ..300
analytics.findings[].value         quantity
analytics.findings[].tone          ok|warn|risk|info
calendar                           object
calendar.title                     string   ..90
calendar.range                     string   ..60
calendar.events                    list     2..30                !
calendar.events[]                  object
calendar.events[].date             date                          !
calendar.events[].time             string   ..20
calendar.events[].title            string   ..120                !
calendar.events[].note             string   ..160
calendar.events[].badge            string   ..30
calendar.events[].tone             ok|warn|risk|info
map                                object
map.title                          string   ..90
map.points                         list     2..24                !
map.points[]                       object
map.points[].label                 string   ..40                 !
map.points[].x                     number   0..100               !
map.points[].y                     number   0..100               !
map.points[].status                string
map.points[].tone                  ok|warn|risk|info
map.points[].note                  string   ..200
map.lines                          list     ..40
map.lines[]                        list     2..2
map.lines[][]                      integer  0..
timeline                           object
timeline.title                     string   ..120
timeline.events                    list     3..20                !
timeline.events[]                  object
timeline.events[].time             string   ..30                 !
timeline.events[].title            string   ..140                !
timeline.events[].text             string   ..400
timeline.events[].actor            string   ..50
timeline.events[].tone             ok|warn|risk|info
timeline.events[].current          boolean
dashboard                          object
dashboard.range                    string   ..60
dashboard.series                   list     1..4                 !
dashboard.series[]                 object
dashboard.series[].kpi             integer  0..
dashboard.series[].title           string   ..90
dashboard.series[].unit            string   ..20
dashboard.series[].total           quantity
dashboard.series[].note            string   ..160
dashboard.series[].points          list     2..32                !
dashboard.series[].points[]        object
dashboard.series[].points[].label  string   ..20                 !
dashboard.series[].points[].value  quantity                      !
dashboard.breakdowns               list     ..4
dashboard.breakdowns[]             object
dashboard.breakdowns[].title       string   ..90                 !
dashboard.breakdowns[].type        cards|share|top               !
dashboard.breakdowns[].unit        string   ..20
dashboard.breakdowns[].note        string   ..160
dashboard.breakdowns[].items       list     2..10                !
dashboard.breakdowns[].items[]     object
dashboard.breakdowns[].items[].label         string   ..60
dashboard.breakdowns[].items[].value         quantity
dashboard.breakdowns[].items[].title         string   ..60
dashboard.breakdowns[].items[].stats         list     ..5
dashboard.breakdowns[].items[].stats[]       object
dashboard.breakdowns[].items[].stats[].label string   ..40       !
dashboard.breakdowns[].items[].stats[].value quantity            !
width                              full|reading
`;

/** One line of the table. */
export interface Row {
  /** Such as `nav[].label`; the root is empty. */
  readonly path: string;
  readonly type: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly required: boolean;
}

export const rows: readonly Row[] = table.split('\n').flatMap((line) => {
  if (line.trim() === '') return [];
  const [path = '', type = '', ...rest] = line.startsWith(' ')
    ? ['', ...line.trim().split(/\s+/)]
    : line.split(/\s+/);
  const [low, high] = (rest.find((word) => word.includes('..')) ?? '..').split('..');
  const bound = (text: string | undefined): number | undefined => (text ? Number(text) : undefined);
  return [{ path, type, min: bound(low), max: bound(high), required: rest.includes('!') }];
});

const byPath = new Map(rows.map((row) => [row.path, row]));
const byParent = new Map<string, Row[]>();
for (const row of rows) {
  if (row.path === '' || !/^\w+$/.test(nameOf(row))) continue;
  const parent = row.path.slice(0, Math.max(0, row.path.lastIndexOf('.')));
  byParent.set(parent, [...(byParent.get(parent) ?? []), row]);
}

/** Returns the row with a path, if the table contains it. */
export function rowOf(path: string): Row | undefined {
  return byPath.get(path);
}

/** Returns a text with an exact number of characters, some of which are outside the Basic Multilingual Plane. */
export function textOf(length: number): string {
  return Array.from({ length }, (_, index) => (index % 3 === 0 ? '🙂' : 'ж')).join('');
}

/** Returns the smallest value that a row allows, with all required properties. */
export function smallest(row: Row): unknown {
  const { type, min = 0, path } = row;
  const inner = (suffix: string): Row | undefined => rowOf(path + suffix);
  switch (type) {
    case 'string':
      return textOf(min);
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return min;
    case 'quantity':
      return 0;
    case 'key':
      return '_';
    case 'date':
      return '2026-02-30';
    case 'list': {
      const item = inner('[]');
      return Array.from({ length: min }, () => (item ? smallest(item) : null));
    }
    case 'dictionary': {
      const item = inner('{}');
      return Object.fromEntries(
        Array.from({ length: min }, (_, index) => [`k${index}`, item ? smallest(item) : null]),
      );
    }
    case 'object': {
      const needed = childrenOf(row).filter(({ required }) => required);
      return Object.fromEntries(needed.map((child) => [nameOf(child), smallest(child)]));
    }
    default:
      return type.split('|')[0];
  }
}

/** Returns the properties of an object row. */
export function childrenOf({ path }: Row): readonly Row[] {
  return byParent.get(path) ?? [];
}

export function nameOf({ path }: Row): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
