import { Tabs as MantineTabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Tabs.module.css'

export type Tab<K extends string> = { key: K; title: string; note?: ReactNode; content: ReactNode }

type TabsProps<K extends string> = { label: string; tabs: Tab<K>[]; shown: K; onShow: (key: K) => void }

/** Tabs; arrow keys move between them. */
export function Tabs<K extends string>({ label, tabs, shown, onShow }: TabsProps<K>) {
  return (
    <MantineTabs
      value={shown}
      onChange={(key) => key && onShow(key as K)}
      keepMounted={false}
      classNames={{ list: classes.list, tab: classes.tab, panel: classes.panel }}
    >
      <MantineTabs.List aria-label={label}>
        {tabs.map(({ key, title, note }) => (
          <MantineTabs.Tab key={key} value={key}>
            {title}
            {note !== undefined && <span className={classes.note}>{note}</span>}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
      {tabs.map(({ key, content }) => (
        <MantineTabs.Panel key={key} value={key}>
          {content}
        </MantineTabs.Panel>
      ))}
    </MantineTabs>
  )
}
