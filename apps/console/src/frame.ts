/**
 * Shows a document that a model has written. This page has an origin of its own and may ask for nothing (its policy says
 * so); the document lies in a frame within it that runs no script, opens no window and leads nowhere.
 */
window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== window.parent || typeof data !== 'object' || data === null) return;
  const { html } = data as { html?: unknown };
  if (typeof html !== 'string') return;
  const inner = document.createElement('iframe');
  inner.setAttribute('sandbox', '');
  inner.title = 'Page';
  inner.srcdoc = html;
  document.body.replaceChildren(inner);
});

window.parent.postMessage({ ready: true }, '*');
