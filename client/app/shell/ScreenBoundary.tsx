import { IconRefreshAlert } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { Component, type ReactNode, useEffect, useState } from 'react'
import { isReachable } from '#client/app/build.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'

type Props = {
  /** URL of the screen. A new one resets the error. */
  address: string
  children: ReactNode
}

/** Catches render and chunk errors of a screen, so that header and navigation keep working. */
export class ScreenBoundary extends Component<Props, { failedAt: string | undefined }> {
  override state: { failedAt: string | undefined } = { failedAt: undefined }

  static getDerivedStateFromError = () => ({ failedAt: '' })

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.address })
  }

  override render(): ReactNode {
    const { failedAt } = this.state
    if (failedAt === undefined || (failedAt !== '' && failedAt !== this.props.address)) return this.props.children
    return <ScreenFailed />
  }
}

/** Interval for checking whether the server is back, in milliseconds. */
const retryIntervalMs = 2_000

/** Reloads the page once the server is back. */
function ScreenFailed() {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    let wasAway = false
    const look = async () => {
      const isBack = await isReachable()
      if (isBack && wasAway) location.reload()
      wasAway ||= !isBack
      setAway(!isBack)
    }
    void look()
    const timer = setInterval(() => void look(), retryIntervalMs)
    return () => clearInterval(timer)
  }, [])
  if (isAway)
    return <Notice icon={IconRefreshAlert}>The server can't be reached. This screen will load when it is back.</Notice>
  return (
    <Notice
      icon={IconRefreshAlert}
      step={
        <Button variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    >
      This screen could not be shown.
    </Notice>
  )
}
