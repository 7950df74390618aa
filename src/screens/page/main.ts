import './features.js';
import { startArchetypes } from './archetypes.js';
import { startChat } from './chat.js';
import { startCreate } from './create.js';
import { startDrawer } from './drawer.js';
import { startList } from './list.js';
import { startOnboarding } from './onboarding.js';
import { startPanes } from './panes.js';
import { startPaper } from './paper.js';
import { startScenario } from './scenario.js';
import { startSearch } from './search.js';
import { startTips } from './tips.js';
import { startToast } from './toast.js';
import { startViews } from './views.js';

startToast();
startList();
startViews();
startSearch();
startDrawer();
if (withExtras) startPanes();
startScenario();
if (withExtras) startChat();
startCreate();
startPaper();
if (withTips) startTips();
if (withExtras) startArchetypes();
startOnboarding();

// A click on a dialog's backdrop closes the dialog, like Escape.
document.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLDialogElement) target.close();
});
