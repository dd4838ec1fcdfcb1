import { render } from 'preact';
import { App } from './app.tsx';
import { follow } from './live.ts';
import './style/theme.css';
import './style/frame.css';
import './style/parts.css';
import './style/journal.css';
import './style/views.css';

const place = document.querySelector('#inspector');
if (place !== null) {
  follow();
  render(<App />, place);
}
