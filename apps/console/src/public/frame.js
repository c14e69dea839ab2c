// Shows a document that a model has written. This page has an origin of its own and may ask for nothing (its policy says
// so); the document lies in a frame within it that runs no script, opens no window and leads nowhere.
// A script of the old kind: a module would be fetched by the rules for strangers, for here everything is one.
window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || typeof data?.html !== 'string') return;
  const inner = document.createElement('iframe');
  inner.setAttribute('sandbox', '');
  inner.title = 'Page';
  inner.srcdoc = data.html;
  document.body.replaceChildren(inner);
});

window.parent.postMessage({ ready: true }, '*');
