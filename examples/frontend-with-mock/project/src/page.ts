import { showModels, watchRuns } from './run.js';
import { watchJobs } from './job.js';

await showModels();
watchRuns();
watchJobs();
document.body.dataset['ready'] = 'yes';
