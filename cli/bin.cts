#!/usr/bin/env node
/*
 * The bin. Written as CommonJS in the syntax of 2009, so that a Node which is too old prints a sentence instead of a
 * syntax error. Newer syntax begins in start.cts.
 */
var supported = '^20.19 or >=22.12';
var parts = process.versions.node.split('.').map(Number);
var major = parts[0] as number;
var minor = parts[1] as number;

if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) {
  require('./start.cjs');
} else {
  process.stderr.write('✖ tallystick needs Node ' + supported + ', this is ' + process.versions.node + '\n');
  process.exit(2);
}
