"""What the auditor brings beside its tools: a memory that is a state, gates that judge, a store, a report."""
