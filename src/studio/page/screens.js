/** The screens in their order: {id, title, needs, Screen}; `needs` is what has to be open: 'project', 'model' (or a
 * project), or '' for nothing. */
import { T_LATER } from '../../present/report/script/words.js';
import { Open } from './screen_open.js';
import { Model } from './screen_model.js';
import { Project } from './screen_project.js';
import { Materials } from './screen_materials.js';
import { Places } from './screen_places.js';
import { Variants } from './screen_variants.js';
import { Plan } from './screen_plan.js';
import { Results } from './screen_results.js';

export const screens = [
  { id: 'open', title: T_LATER('Open'), needs: '', Screen: Open },
  { id: 'model', title: T_LATER('Model'), needs: 'model', Screen: Model },
  { id: 'project', title: T_LATER('Project'), needs: 'model', Screen: Project },
  { id: 'materials', title: T_LATER('Materials'), needs: 'project', Screen: Materials },
  { id: 'places', title: T_LATER('Places'), needs: 'project', Screen: Places },
  { id: 'variants', title: T_LATER('Variants'), needs: 'project', Screen: Variants },
  { id: 'plan', title: T_LATER('Plan and run'), needs: 'project', Screen: Plan },
  { id: 'results', title: T_LATER('Results'), needs: '', Screen: Results },
];
