import {
  ApiError,
  publishNodeVersion,
  publishNodeVersionUpload,
  settle,
  UploadError,
} from './api/registry/index.js';
import type { PublishNodeVersionAnswer, RegistryError } from './api/registry/index.js';
import { bearer as registry } from './connection.js';
import { element } from './element.js';

const version = element('version', HTMLInputElement);
const token = element('token', HTMLInputElement);
const archive = element('archive', HTMLInputElement);
const sent = element('sent', HTMLProgressElement);
const outcome = element('published', HTMLParagraphElement);

/** A version that was entered but whose archive was not uploaded: pressing again sends only the archive. */
let entered: PublishNodeVersionAnswer | undefined;

export function watchPublications(): void {
  let isPublishing = false;
  version.addEventListener('change', () => (entered = undefined));
  element('publish', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const [file] = archive.files ?? [];
    if (isPublishing || file === undefined) return;
    isPublishing = true;
    void publish(file).finally(() => (isPublishing = false));
  });
}

async function publish(file: File): Promise<void> {
  outcome.textContent = 'Publishing …';
  sent.value = 0;
  if (entered === undefined) {
    const entry = await settle(
      publishNodeVersion(registry, {
        publisherId: 'acme',
        nodeId: 'acme-upscaler',
        body: {
          node: { id: 'acme-upscaler', name: 'Upscaler' },
          node_version: { version: version.value },
          personal_access_token: token.value,
        },
      }),
    );
    if (!entry.ok) {
      outcome.textContent = `Not published: ${sentence(entry.error)}`;
      return;
    }
    entered = entry;
  }
  try {
    await publishNodeVersionUpload(registry, entered, file, {
      onProgress: ({ sent: bytes, total }) => (sent.value = total === 0 ? 1 : bytes / total),
    });
    entered = undefined;
    outcome.textContent = `Published, ${file.size} bytes.`;
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    // The address itself is the permission to upload: if it is refused once, it will be refused again.
    const isOver = error.cause instanceof ApiError && error.cause.status === 403;
    if (isOver) entered = undefined;
    outcome.textContent = isOver
      ? 'The address of the archive has expired. Publish another version.'
      : 'The version is entered, its archive has not arrived. Press again.';
  }
}

function sentence(error: RegistryError): string {
  return 'status' in error ? `the registry answered ${error.status}` : 'no answer';
}
