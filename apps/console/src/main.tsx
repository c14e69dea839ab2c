import './ui/theme.css';
import './ui/base.css';
import './ui/layout.css';
import './ui/parts.css';
import './ui/content.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './data/queries';
import { router } from './router';
import { SessionGate } from './session/session-gate';
import { applyTheme } from './ui/theme';
import { Notices } from './ui/notices';

applyTheme();
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Notices>
        <SessionGate>
          <RouterProvider router={router} />
        </SessionGate>
      </Notices>
    </QueryClientProvider>
  </StrictMode>,
);
