import { AgentsSetting } from './AgentsSetting.tsx'
import { ConnectionSettings } from './ConnectionSettings.tsx'
import { IntegrationCard } from './IntegrationLock.tsx'

/** Application that signs in to Iconik. */
export const IconikSection = () => (
  <IntegrationCard bundle="iconik" title="Iconik Integration" headings={['Configurations']}>
    {(setting) => (
      <>
        <ConnectionSettings
          {...setting}
          inputs={[
            {
              name: 'iconikUrl',
              label: 'URL',
              description: 'Address of Iconik in your region, such as https://eu.iconik.io',
              placeholder: 'https://app.iconik.io',
            },
            { name: 'iconikAppId', label: 'Application ID' },
          ]}
          secret={{
            name: 'iconik.authtoken',
            label: 'Application Token',
            description: 'It is never shown. Leave it empty to remove it.',
            goesTo: 'URL',
          }}
          missing="Iconik integration is not configured properly."
        />
        <AgentsSetting
          {...setting}
          name="iconikAgents"
          label="Agents that list collections and storages of Iconik"
          description="Their requests contain the application token. Other agents only get it to upload files of their own storages."
        />
      </>
    )}
  </IntegrationCard>
)
