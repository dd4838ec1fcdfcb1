/**
 * One generated check for a form and for a route: both libraries support Standard Schema, and neither depends
 * on tallystick.
 */
import { sValidator } from '@hono/standard-validator';
import { FormApi } from '@tanstack/form-core';
import { Hono } from 'hono';
import { checkPublishNodeVersionRequest } from './api/registry/validators.js';

const publication = {
  node: { id: 'tally', name: 'Tally' },
  node_version: { version: '1.0.0', dependencies: ['numpy', 7] as unknown as string[] },
  personal_access_token: 'secret',
};

const form = new FormApi({
  defaultValues: publication,
  validators: { onChange: checkPublishNodeVersionRequest },
  onSubmit: ({ value }) => console.log('form sends', value.node_version.dependencies.join(' ')),
});
form.mount();
await form.handleSubmit();
for (const [field, { errors }] of Object.entries(form.getAllErrors().fields))
  console.log('form refuses', field, (errors as readonly { readonly message: string }[])[0]?.message);

form.setFieldValue('node_version.dependencies[1]', 'pillow');
await form.handleSubmit();

const app = new Hono().post('/publications', sValidator('json', checkPublishNodeVersionRequest), (context) =>
  context.json({ version: context.req.valid('json').node_version }, 201),
);

for (const body of [{ ...publication, personal_access_token: null }, form.state.values]) {
  const answer = await app.request('/publications', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  console.log('route answers', answer.status, await answer.text());
}
