/* Leads from CommonJS into the modules. Apart from bin.cts because `import()` is a syntax error to very old Nodes. */
void import('./main.js').then((cli) => cli.main(process.argv.slice(2)));
