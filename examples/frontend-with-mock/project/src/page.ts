import { showModels, watchRuns } from './run.js';
import { watchJobs } from './job.js';

watchRuns();
watchJobs();
await showModels();
document.body.dataset['ready'] = 'yes';
