import { Popover } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import type { Bundle } from '#events/contract/needs.ts'
import { useLinks } from '#client/app/links.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'

/** Name and actions of each system, and the anchor of its settings. */
const systems: Record<Bundle, { name: string; verbs: string; anchor: string }> = {
  archiwareP5: { name: 'Archiware P5', verbs: 'Archive and restore', anchor: 'archiware-p5' },
  soda: { name: 'SODA', verbs: 'Transfer', anchor: 'soda' },
  storageManager: { name: 'Quantum StorNext', verbs: 'Archive and restore', anchor: 'quantum-stornext' },
  iconik: { name: 'Iconik', verbs: 'Upload', anchor: 'iconik' },
}

type MissingSystemsProps = ComponentProps<PopoverContent<{ systems: readonly Bundle[] }>>

/** Systems that are not connected, with links to their settings. */
export function MissingSystems({ button, systems: missing }: MissingSystemsProps) {
  const links = useLinks()
  return (
    <Popover position="bottom-start" trapFocus withinPortal>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label="Archive or move">
        <ul className="stack gap-8">
          {missing.map((bundle) => {
            const { name, verbs, anchor } = systems[bundle]
            return (
              <li key={bundle}>
                <span className="strong">{verbs}:</span> {name} is not connected.{' '}
                <RoleGuard needs="settings.edit" otherwise="Ask an administrator to connect it.">
                  <Link href={`${links.settings('data')}#${anchor}`} aria-label={`Connect ${name}`}>
                    Connect it
                  </Link>
                </RoleGuard>
              </li>
            )
          })}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
