import { Link } from 'wouter'
import { mcpPath } from '#events/users/apiTokens.ts'
import { useLinks } from '#client/app/links.ts'
import { withBase } from '#client/app/place/basePath.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'

/** Address and configuration for programs with a language model, which ask questions with an API token. */
export function AssistantCard() {
  const links = useLinks()
  const address = location.origin + withBase(mcpPath)
  return (
    <Panel title="Use with an assistant" folds="open">
      <div className="stack gap-12 inset">
        <p>
          Programs with a language model can ask questions about your storages, files and projects, and link to the
          screens that show the answers. They only read: what would change something, you start yourself on a screen.
        </p>
        <p>
          1. Add an API token above, without roles. It sees what you see, and changes nothing. Only questions about jobs
          or the event log need a role.
        </p>
        <div className="stack gap-8">
          <p>2. Enter this address in the program, as a server of the Model Context Protocol (MCP) over HTTP.</p>
          <CopyableText label="Address" text={address} />
        </div>
        <div className="stack gap-8">
          <p>Or paste this into its configuration, with the token instead of TOKEN.</p>
          <CopyableText label="Configuration" text={configurationOf(address)} />
        </div>
        <p>
          The program sends names of files, users and projects to its language model. Use one that may see them.{' '}
          <Link href={links.help({ page: 'use-with-an-assistant' })}>What it can answer</Link>
        </p>
      </div>
    </Panel>
  )
}

/** Common form of the configuration of clients. */
const configurationOf = (url: string): string => {
  const dataintell = { type: 'http', url, headers: { Authorization: 'Bearer TOKEN' } }
  return JSON.stringify({ mcpServers: { dataintell } }, undefined, 2)
}
