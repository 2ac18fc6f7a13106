"""Many runs at once: tasks go in, records come out, on this machine or on a cluster. docs/many-runs.md tells why so."""
