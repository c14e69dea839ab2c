import { Page } from '../ui/page';
import { ApiKeysCard } from './api-keys-card';
import { OAuthClientsCard } from './oauth-clients-card';

export function KeysPage() {
  return (
    <Page title="Keys" intro="Credentials of the team. Nobody can make one that may do more than their own.">
      <ApiKeysCard />
      <OAuthClientsCard />
    </Page>
  );
}
