import { IconTools } from '@tabler/icons-react'
import { Notice } from './Notice.tsx'
import { Page } from './Page.tsx'

/** A screen that this version does not have yet, said plainly. */
export function NotAvailablePage({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Notice icon={IconTools}>{title} is not available in this version.</Notice>
    </Page>
  )
}
