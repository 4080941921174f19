// Installs Debian packages, as root on Debian: node tools/install-packages.mjs <package> …
import { installDebianPackages } from './debian-packages.mjs'

await installDebianPackages(process.argv.slice(2))
