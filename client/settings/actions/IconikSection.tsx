import { configurations } from '#events/configurations.ts'
import { useRemote } from '#client/app/remote.ts'
import { Card } from '#client/ui/Card.tsx'
import { AgentsSetting } from './AgentsSetting.tsx'
import { ConnectionSettings } from './ConnectionSettings.tsx'
import { IntegrationLock } from './IntegrationLock.tsx'

const title = 'Iconik Integration'

/** Application that signs in to Iconik. */
export const IconikSection = () => (
  <IntegrationLock bundle="iconik" title={title} headings={['Configurations']}>
    <Content />
  </IntegrationLock>
)

function Content() {
  const remote = useRemote(configurations.list, {}, 'configurations')
  return (
    <Card title={title} remote={remote} folds="closed">
      {(entries) => (
        <>
          <ConnectionSettings
            entries={entries}
            updated={remote.retry}
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
            entries={entries}
            updated={remote.retry}
            name="iconikAgents"
            label="Agents that list collections and storages of Iconik"
            description="Their requests contain the application token. Other agents only get it to upload files of their own storages."
          />
        </>
      )}
    </Card>
  )
}
