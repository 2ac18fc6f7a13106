"""The auditor's tools: look at a collection, ask it, write down what is proven. They hold an `Audit`."""
