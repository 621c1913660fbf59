/** The screens in their order: {id, title, needs, Screen}; `needs` is what has to be open: 'project', 'model' (or a
 * project), or '' for nothing. */
import { Open } from './screen_open.js';
import { Model } from './screen_model.js';
import { Project } from './screen_project.js';
import { Materials } from './screen_materials.js';
import { Places } from './screen_places.js';
import { Variants } from './screen_variants.js';
import { Plan } from './screen_plan.js';
import { Results } from './screen_results.js';

export const screens = [
  { id: 'open', title: 'Open', needs: '', Screen: Open },
  { id: 'model', title: 'Model', needs: 'model', Screen: Model },
  { id: 'project', title: 'Project', needs: 'model', Screen: Project },
  { id: 'materials', title: 'Materials', needs: 'project', Screen: Materials },
  { id: 'places', title: 'Places', needs: 'project', Screen: Places },
  { id: 'variants', title: 'Variants', needs: 'project', Screen: Variants },
  { id: 'plan', title: 'Plan and run', needs: 'project', Screen: Plan },
  { id: 'results', title: 'Results', needs: '', Screen: Results },
];
