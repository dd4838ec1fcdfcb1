import { showModels, watchRuns } from './run.js';
import { watchJobs } from './job.js';
import { watchPublications } from './publish.js';

watchRuns();
watchJobs();
watchPublications();
await showModels();
document.body.dataset['ready'] = 'yes';
