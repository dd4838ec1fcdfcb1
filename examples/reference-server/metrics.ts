import { metrics } from '@opentelemetry/api';
import type { Finding } from '../../generated/router/server.ts';
import { failureOf, methodOf } from '../observe/conventions.ts';

/**
 * The telemetry of a server, through the API of OpenTelemetry: its operator chooses the destination, and
 * without an SDK it is discarded.
 */
export function meter(): (finding: Finding) => void {
  const instruments = metrics.getMeter('reference-server');
  const duration = instruments.createHistogram('http.server.request.duration', { unit: 's' });
  const replays = instruments.createCounter('server.replays');
  const storeFailures = instruments.createCounter('server.store.failures');
  const losses = instruments.createCounter('server.store.losses');
  const faults = instruments.createCounter('server.faults');
  return (finding) => {
    switch (finding.kind) {
      case 'answered':
        if (finding.replayed) replays.add(1, { operation: finding.operation ?? 'none' });
        break;
      case 'ended': {
        const { call, status, ms } = finding;
        duration.record(ms / 1_000, {
          'http.request.method': methodOf(call.method),
          'url.scheme': 'http',
          ...(call.route === undefined ? {} : { 'http.route': call.route }),
          'http.response.status_code': status,
          ...failureOf(status, 'server'),
        });
        break;
      }
      case 'store':
        storeFailures.add(1, { operation: finding.operation });
        break;
      case 'lost':
        losses.add(1, { operation: finding.operation, what: finding.what });
        break;
      case 'handler':
      case 'stream':
      case 'response':
        faults.add(1, { operation: finding.operation, kind: finding.kind });
        break;
      case 'started':
      // For spans.
    }
  };
}
